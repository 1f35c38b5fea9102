# Builds and tears down hashes, arrays and strings: most of perl's time goes into small allocations.
use strict;
use warnings;

my %words;
my $state = 1;
for my $round (1 .. 1_500_000) {
    $state = ($state * 1103515245 + 12345) & 0x7fffffff;
    my $key = "key" . $state % 200_003;
    push @{ $words{$key} }, "value $round";
    delete $words{ "key" . ($state >> 3) % 200_003 } if $round % 2;
}
my $total = 0;
$total += @$_ for values %words;
print scalar(keys %words), " keys, $total values\n";
