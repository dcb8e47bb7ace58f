#!/usr/bin/perl -w
# SPDX-License-Identifier: GPL-3.0-or-later
# public-inbox's own writer: inbox.pl NAME add|remove|purge FILE... on the inbox of $PI_CONFIG.
use strict;
use PublicInbox::Config;
use PublicInbox::Eml;
use PublicInbox::InboxWritable;
my ($name, $verb, @files) = @ARGV;
my $ibx = PublicInbox::Config->new->lookup_name($name) or die "no inbox $name";
my $im = PublicInbox::InboxWritable->new($ibx)->importer(0);
for my $file (@files) {
	open(my $fh, '<', $file) or die "$file: $!";
	my $text = do { local $/; <$fh> }; # no longer: public-inbox reads lines itself
	$im->$verb(PublicInbox::Eml->new(\$text));
}
$im->done;
