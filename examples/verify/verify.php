<?php

declare(strict_types=1);

/** $rawBody: file_get_contents('php://input'), never json_encode() of what was decoded. */
function verify(string $rawBody, ?string $header, string $secret, ?int $now = null, int $tolerance = 300): bool
{
    $parts = [];
    foreach (explode(',', $header ?? '') as $part) {
        [$name, $value] = array_pad(explode('=', trim($part), 2), 2, '');
        $parts[$name] = $value;
    }
    $t = $parts['t'] ?? '';
    if (preg_match('/\A[0-9]{1,12}\z/', $t) !== 1 || abs(($now ?? time()) - (int) $t) > $tolerance) {
        return false;
    }
    return hash_equals(hash_hmac('sha256', $t . '.' . $rawBody, $secret), $parts['v2'] ?? '');
}

// Each line is one case: secret, now, header and body (both base64), separated by tabs.
while (($line = fgets(STDIN)) !== false) {
    [$secret, $now, $header, $body] = explode("\t", rtrim($line, "\n"));
    $valid = verify(base64_decode($body), base64_decode($header), $secret, (int) $now);
    echo $valid ? 'valid' : 'invalid', "\n";
}
