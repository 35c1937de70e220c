# Sends each upload of the standard input with HTTP::Tiny and prints the statuses.
use strict;
use warnings;
use HTTP::Tiny;

while (my $line = <STDIN>) {
    chomp $line;
    my ($method, $url, $key, $type, $size) = split /\|/, $line, -1;
    my %headers = ('Content-Type' => $type);
    $headers{'Authorization'} = "Bearer $key" if $key ne '';
    my $response = HTTP::Tiny->new->request($method, $url, { headers => \%headers, content => 'x' x $size });
    print $response->{status} == 599 ? $response->{content} =~ s/\s+/ /gr : $response->{status}, "\n";
}
