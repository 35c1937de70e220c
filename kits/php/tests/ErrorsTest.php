<?php

// Bad input gets one clear error.

declare(strict_types=1);

use PHPUnit\Framework\TestCase;
use Psp\Sandbox\Executable;
use Psp\Sandbox\Sandbox;
use Psp\Sandbox\SandboxException;
use Psp\Sandbox\UsesSandbox;

final class ErrorsTest extends TestCase
{
    use UsesSandbox;

    private string $folder;
    /** @var array{string, string, string} */
    private array $before;

    protected function setUp(): void
    {
        $this->before = [(string) getenv('PSP_BIN'), (string) getenv('PATH'), (string) getcwd()];
        $this->folder = sys_get_temp_dir() . '/psp-errors-' . bin2hex(random_bytes(4));
        mkdir($this->folder);
    }

    protected function tearDown(): void
    {
        [$bin, $path, $folder] = $this->before;
        putenv("PSP_BIN=$bin");
        putenv("PATH=$path");
        chdir($folder);
        exec('rm -rf ' . escapeshellarg($this->folder));
    }

    public function testNoExecutableIsAnError(): void
    {
        $this->hideAll();
        $this->expectStartError('Set PSP_BIN to its path');
        new Sandbox();
    }

    public function testTheExecutableIsFoundInThePackageThenInPath(): void
    {
        $this->hideAll();
        mkdir("$this->folder/node_modules/.bin", recursive: true);
        foreach (['psp', 'node_modules/.bin/psp'] as $name) {
            $this->assertSame($this->program($name, "#!/bin/sh\n"), Executable::find());
        }
    }

    public function testAWrongPathInPspBinIsAnError(): void
    {
        putenv("PSP_BIN=$this->folder/missing");
        $this->expectStartError('missing, which is not an executable file');
        new Sandbox();
    }

    public function testAnExecutableOfAnotherMachineIsAnError(): void
    {
        putenv('PSP_BIN=' . $this->program('foreign', "\x7fELF\x02\x01\x01" . str_repeat("\0", 11) . "\xf3\0"));
        $this->expectStartError('built for another machine. Set PSP_BIN to the psp executable for ');
        new Sandbox();
    }

    public function testAProgramThatIsNotPspIsAnError(): void
    {
        putenv('PSP_BIN=' . $this->program('other', "#!/bin/sh\necho hello\nexit 3\n"));
        $this->expectStartError('exit code 3). hello');
        new Sandbox();
    }

    public function testAPortInUseIsAnError(): void
    {
        $port = (int) parse_url($this->psp()->url, PHP_URL_PORT);
        $this->expectException(SandboxException::class);
        $this->expectExceptionMessageMatches("/exit code 9\\). Port $port .*is in use.*--port/");
        new Sandbox("--port=$port");
    }

    public function testAWrongFlagIsAnError(): void
    {
        $this->expectStartError('exit code 2');
        new Sandbox('--clock=yesterday');
    }

    public function testASandboxThatWasKilledDuringTheTestIsAnError(): void
    {
        $sandbox = new Sandbox();
        $shop = $sandbox->shop();
        exec("kill -9 $sandbox->pid");
        $this->expectStartError("ended during the test (signal 9). Find what ended process $sandbox->pid, and run the tests again.");
        $shop->payments->create(100);
    }

    public function testARequestAfterCloseIsAnError(): void
    {
        $sandbox = new Sandbox();
        $sandbox->close();
        $this->expectStartError('was closed by close()');
        $sandbox->shop();
    }

    /** @dataProvider faults */
    public function testAConnectionThatAFaultBreaksIsAnError(string $fault): void
    {
        $this->psp()->faults->add('api', $fault, times: 1);
        $this->expectStartError('A fault of the API such as `cut` causes this');
        $this->psp()->payments->create(100);
    }

    /** @return list<array{string}> */
    public static function faults(): array
    {
        return [['cut'], ['reset']];
    }

    public function testTheSandboxEndsWithTheProcessThatStartedIt(): void
    {
        $code = 'require $argv[1]; echo (new Psp\Sandbox\Sandbox())->pid, "\n"; sleep(60);';
        $parent = proc_open([PHP_BINARY, '-r', $code, dirname(__DIR__) . '/src/autoload.php'], [1 => ['pipe', 'w']], $pipes);
        $pid = (int) fgets($pipes[1]);
        $this->assertGreaterThan(0, $pid);
        proc_terminate($parent, 9);
        for ($deadline = microtime(true) + 60; file_exists("/proc/$pid"); usleep(20_000)) {
            $this->assertLessThan($deadline, microtime(true));
        }
    }

    private function hideAll(): void
    {
        putenv('PSP_BIN');
        putenv("PATH=$this->folder");
        chdir($this->folder);
    }

    private function program(string $name, string $content): string
    {
        file_put_contents("$this->folder/$name", $content);
        chmod("$this->folder/$name", 0755);
        return "$this->folder/$name";
    }

    private function expectStartError(string $text): void
    {
        $this->expectException(SandboxException::class);
        $this->expectExceptionMessage($text);
    }
}
