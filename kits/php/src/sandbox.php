<?php

// Starts a sandbox as a child process, and sends requests to it.

declare(strict_types=1);

namespace Psp\Sandbox;

/** A running sandbox. It keeps all data in memory, and ends with the process that started it. */
final class Sandbox
{
    private const START_TIMEOUT = 60;
    private const SERVE = ['serve', '--json', '--quiet', '--ephemeral', '--exit-with-parent', '--port=0', '--clock=real'];

    public readonly string $url;
    public readonly int $pid;
    public readonly Clock $clock;

    /** @var resource|null */
    private $process;
    /** @var resource */
    private $log;
    private string $ending = '';
    private static ?self $shared = null;

    /**
     * Starts the sandbox and waits until it is ready.
     *
     * @param string ...$flags flags of psp serve, such as --clock=frozen and --set=delays.bank=0s
     */
    public function __construct(string ...$flags)
    {
        $executable = Executable::find();
        $this->log = tmpfile() ?: throw new SandboxException('The log of the sandbox cannot be created. Check the temporary directory.');
        $this->process = @proc_open([$executable, ...self::SERVE, ...$flags], [['file', '/dev/null', 'r'], ['pipe', 'w'], $this->log], $pipes)
            ?: throw Executable::cannotRun($executable, 'it cannot be started');
        // Otherwise PHP would wait at its exit for the sandbox, which waits for PHP to exit.
        register_shutdown_function($this->close(...));
        $ready = $this->readyLine($executable, $pipes[1]);
        $this->url = $ready['url'];
        $this->pid = $ready['pid'];
        $this->clock = new Clock($this);
    }

    /** Returns the sandbox of this process, which the first call starts with its flags. */
    public static function shared(string ...$flags): self
    {
        return self::$shared ??= new self(...$flags);
    }

    /**
     * Creates a shop with separate keys and secrets.
     *
     * @param array<string, mixed> $fields the fields of POST /_psp/shops
     */
    public function shop(array $fields = []): Shop
    {
        $created = $this->request('POST', '/_psp/shops', $fields);
        return new Shop($this, $created['shop_id'], $created['api_key'], $created['signing_secret'], $created['webhook_secret']);
    }

    /**
     * Sends a request and returns the parsed body of the response.
     *
     * @param array<string, mixed>|string|null $body
     * @param array<string, string> $headers
     * @throws ApiException for 4xx and 5xx
     */
    public function request(string $method, string $path, array|string|null $body = null, array $headers = [], float $timeout = 60): mixed
    {
        $payload = is_array($body) ? self::encode($body) : (string) $body;
        $headers += ['Connection' => 'close'] + ($payload === '' ? [] : ['Content-Type' => 'application/json']);
        $lines = array_map(fn (string $name, string $value) => "$name: $value", array_keys($headers), $headers);
        $http = ['method' => $method, 'header' => $lines, 'content' => $payload, 'ignore_errors' => true, 'follow_location' => 0];
        $http += ['protocol_version' => 1.1, 'timeout' => $timeout];
        $stream = @fopen($this->url . $path, 'r', false, stream_context_create(['http' => $http])) ?: throw $this->broken();
        $text = (string) stream_get_contents($stream);
        $head = implode("\n", stream_get_meta_data($stream)['wrapper_data']);
        preg_match('/\AHTTP\S+ (\d+)/', $head, $status);
        preg_match('/^content-length: (\d+)/im', $head, $length);
        if ($status === [] || strlen($text) < (int) ($length[1] ?? 0)) {
            throw $this->broken();
        }
        $result = json_decode($text, true);
        if ($status[1] >= 400) {
            throw new ApiException((int) $status[1], $result['error']['code'] ?? 'unknown', $result['error']['message'] ?? $text);
        }
        return $result;
    }

    /** @param array<string, mixed> $body */
    public static function encode(array $body): string
    {
        return $body === [] ? '{}' : json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
    }

    /** Stops the sandbox. */
    public function close(): void
    {
        if ($this->process !== null) {
            proc_terminate($this->process, 9);
            proc_close($this->process);
            $this->process = null;
        }
    }

    /**
     * @param resource $output
     * @return array{url: string, pid: int}
     */
    private function readyLine(string $executable, $output): array
    {
        [$read, $none] = [[$output], null];
        $line = stream_select($read, $none, $none, self::START_TIMEOUT) === 1 ? (string) fgets($output) : '';
        $ready = json_decode($line, true);
        if (is_array($ready) && ($ready['type'] ?? '') === 'ready') {
            return $ready;
        }
        $ending = $this->ending() ?: 'no ready line';
        $this->close();
        throw new SandboxException("The sandbox did not start ($executable, $ending). " . ($this->lastOutput() ?: trim($line)));
    }

    private function broken(): SandboxException
    {
        if ($this->process === null) {
            return new SandboxException("The sandbox at $this->url was closed by close(). Close it after the last request.");
        }
        if ($ending = $this->ending()) {
            $message = $this->lastOutput() ?: "Find what ended process $this->pid, and run the tests again.";
            return new SandboxException("The sandbox at $this->url ended during the test ($ending). $message");
        }
        return new SandboxException("The sandbox at $this->url closed the connection or did not respond. "
            . 'A fault of the API such as `cut` causes this; otherwise see the log of the sandbox.');
    }

    /** Returns how the process ended, or nothing if it still runs. PHP returns the exit code only once. */
    private function ending(): string
    {
        for ($deadline = microtime(true) + 1; $this->ending === '' && microtime(true) < $deadline; usleep(10_000)) {
            $status = proc_get_status($this->process);
            if (!$status['running']) {
                $this->ending = $status['signaled'] ? "signal {$status['termsig']}" : "exit code {$status['exitcode']}";
            }
        }
        return $this->ending;
    }

    /** Returns the error that the sandbox printed. Without one, returns the last lines of its log. */
    private function lastOutput(): string
    {
        rewind($this->log);
        $lines = array_slice(explode("\n", trim((string) stream_get_contents($this->log))), -5);
        $error = json_decode(end($lines), true)['error'] ?? null;
        return $error === null ? implode("\n", $lines) : "{$error['message']} {$error['hint']}";
    }
}
