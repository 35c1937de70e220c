<?php

// The errors of the kit. Each message says what happened, then what to do next.

declare(strict_types=1);

namespace Psp\Sandbox;

/** The base class of all exceptions of the kit. */
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

/** The signature is missing or wrong, or its time differs too much from the current time. */
final class InvalidSignatureException extends PspException {}
