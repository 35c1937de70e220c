<?php

// Verifies the signature of a webhook.

declare(strict_types=1);

namespace Psp\Sandbox;

final class Webhook
{
    /** The accepted difference between the time of a signature and the current time, in seconds. */
    public const TOLERANCE = 300;

    /**
     * Returns the event of a webhook with a valid signature.
     *
     * @param string $rawBody the received bytes: file_get_contents('php://input')
     * @param ?string $header the value of X-PSP-Signature: $_SERVER['HTTP_X_PSP_SIGNATURE'] ?? null
     * @param ?int $now Unix time, for tests with a fake clock
     * @return array<string, mixed>
     */
    public static function verify(string $rawBody, ?string $header, string $secret, ?int $now = null): array
    {
        if ($secret === '') {
            throw new \InvalidArgumentException('verify: the webhook secret is empty. Set PSP_WEBHOOK_SECRET.');
        }
        $parts = [];
        foreach (explode(',', $header ?? '') as $part) {
            [$name, $value] = array_pad(explode('=', trim($part), 2), 2, '');
            $parts[$name] = $value;
        }
        $t = $parts['t'] ?? '';
        if (preg_match('/\A[0-9]{1,12}\z/', $t) !== 1 || !isset($parts['v2'])) {
            throw new InvalidSignatureException('X-PSP-Signature is missing, or its format is not t=…,v2=….');
        }
        if (abs(($now ?? time()) - (int) $t) > self::TOLERANCE) {
            throw new InvalidSignatureException("The signature was made at $t, more than " . self::TOLERANCE . ' s from now.');
        }
        if (!hash_equals(hash_hmac('sha256', "$t.$rawBody", trim($secret)), $parts['v2'])) {
            throw new InvalidSignatureException('The signature does not match. Verify the received bytes, with the whs_ secret of this shop.');
        }
        return json_decode($rawBody, true, flags: JSON_THROW_ON_ERROR);
    }
}
