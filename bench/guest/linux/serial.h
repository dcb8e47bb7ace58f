// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * As much of an 8250 at 0x3f8 as Linux's driver needs to find one and write to it. It takes
 * a byte at once, so its transmitter is always empty.
 */
#include <stdbool.h>
#include <stdint.h>

enum { SERIAL_PORT = 0x3f8, SERIAL_PORTS = 8, SERIAL_IRQ = 4 };

struct serial {
	uint8_t ier, lcr, mcr, scratch;
	uint8_t divisor[2];
};

enum serial_event { SERIAL_NONE, SERIAL_BYTE, SERIAL_INTERRUPT };

/* A write to register reg: SERIAL_BYTE when value is output, SERIAL_INTERRUPT when the line
 * of interrupts goes up. */
enum serial_event serial_write(struct serial *s, unsigned int reg, uint8_t value);
uint8_t serial_read(const struct serial *s, unsigned int reg);
