package psp.sandbox;

/** The base class of all exceptions of the kit. Each message says what happened, then what to do next. */
@SuppressWarnings("serial")
public class PspException extends RuntimeException {
    private PspException(String message) {
        super(message);
    }

    /** The sandbox could not start, ended during the test, or closed a connection. */
    public static final class SandboxException extends PspException {
        SandboxException(String format, Object... values) {
            super(format.formatted(values));
        }
    }

    /** The API rejected a request. */
    public static final class ApiException extends PspException {
        public final int status;
        public final String code;

        ApiException(int status, String code, String message) {
            super(status + " " + code + ": " + message);
            this.status = status;
            this.code = code;
        }
    }

    /** The event did not happen in time. The message lists the events that did. */
    public static final class WaitTimeoutException extends PspException {
        WaitTimeoutException(String message) {
            super(message);
        }
    }

    /** The signature is missing or wrong, or its time differs too much from the current time. */
    public static final class InvalidSignatureException extends PspException {
        InvalidSignatureException(String format, Object... values) {
            super(format.formatted(values));
        }
    }
}
