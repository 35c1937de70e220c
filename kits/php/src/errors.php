<?php

// The errors of the kit. Each message says what happened, then what to do next.

declare(strict_types=1);

namespace Psp\Sandbox;

/** Every error of the kit. */
class PspException extends \RuntimeException {}

/** The sandbox could not start, ended during the test, or closed a connection. */
final class SandboxException extends PspException {}

/** The API rejected a request. */
final class ApiException extends PspException
{
    public function __construct(public readonly int $status, public readonly string $errorCode, string $message)
    {
        parent::__construct("$status $errorCode: $message");
    }
}

/** The event did not happen in time. The message lists the events that did. */
final class WaitTimeoutException extends PspException {}

/** The webhook is not from this shop's sandbox, or is too old. */
final class InvalidSignatureException extends PspException {}
