// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/guest/linux/serial.h"

enum { DATA, IER, IIR, LCR, MCR, LSR, MSR, SCRATCH };

#define IER_EMPTY 0x02
#define IIR_NONE 0x01
#define IIR_EMPTY 0x02
#define LCR_DIVISOR 0x80
#define LSR_EMPTY 0x60
#define MSR_READY 0xb0 /* carrier, data set ready, clear to send */

enum serial_event serial_write(struct serial *s, unsigned int reg, uint8_t value)
{
	uint8_t before = s->ier;

	if (s->lcr & LCR_DIVISOR && reg <= IER) {
		s->divisor[reg] = value;
		return SERIAL_NONE;
	}
	if (reg == LCR)
		s->lcr = value;
	else if (reg == MCR)
		s->mcr = value;
	else if (reg == SCRATCH)
		s->scratch = value;
	else if (reg == IER)
		s->ier = value & 0x0f;
	else if (reg == DATA)
		return SERIAL_BYTE;
	return s->ier & ~before & IER_EMPTY ? SERIAL_INTERRUPT : SERIAL_NONE;
}

uint8_t serial_read(const struct serial *s, unsigned int reg)
{
	if (s->lcr & LCR_DIVISOR && reg <= IER)
		return s->divisor[reg];
	switch (reg) {
	case IER:
		return s->ier;
	case IIR:
		return s->ier & IER_EMPTY ? IIR_EMPTY : IIR_NONE;
	case LCR:
		return s->lcr;
	case MCR:
		return s->mcr;
	case LSR:
		return LSR_EMPTY;
	case MSR:
		return MSR_READY;
	case SCRATCH:
		return s->scratch;
	default:
		return 0;
	}
}
