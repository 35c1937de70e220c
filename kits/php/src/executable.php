<?php

// Finds the psp executable, and checks that this machine can run it.

declare(strict_types=1);

namespace Psp\Sandbox;

final class Executable
{
    private const MACHINES = [0x3E => 'x86_64', 0xB7 => 'aarch64'];
    private const ALIASES = ['amd64' => 'x86_64', 'arm64' => 'aarch64'];

    /** Returns the path in PSP_BIN, or else the executable of node_modules, of PATH, or of npx. */
    public static function find(): string
    {
        $named = getenv('PSP_BIN');
        if ($named !== false && $named !== '') {
            if (!is_file($named) || !is_executable($named)) {
                throw new SandboxException("PSP_BIN names $named, which is not an executable file. Correct the path, or unset PSP_BIN.");
            }
            return self::checked($named);
        }
        $found = self::installed() ?? self::onPath('psp') ?? self::ofNpx();
        if ($found === null) {
            throw new SandboxException('No psp executable was found in PSP_BIN, node_modules, PATH or npx. '
                . 'Set PSP_BIN to its path, or put psp on the PATH.');
        }
        return self::checked($found);
    }

    /** Returns the executable of the npm package in this directory or in a parent. */
    private static function installed(): ?string
    {
        for ($folder = (string) getcwd(); ; $folder = dirname($folder)) {
            if (is_executable("$folder/node_modules/.bin/psp")) {
                return "$folder/node_modules/.bin/psp";
            }
            if ($folder === dirname($folder)) {
                return null;
            }
        }
    }

    private static function onPath(string $name): ?string
    {
        foreach (explode(PATH_SEPARATOR, (string) getenv('PATH')) as $folder) {
            if (is_file("$folder/$name") && is_executable("$folder/$name")) {
                return "$folder/$name";
            }
        }
        return null;
    }

    /** npx prints the path instead of running psp, so that psp is a child of this process and ends with it. */
    private static function ofNpx(): ?string
    {
        $npx = self::onPath('npx');
        if ($npx === null) {
            return null;
        }
        $words = [$npx, '--offline', '--no', '--package=psp-sandbox', '-c', 'command -v psp'];
        $output = shell_exec(implode(' ', array_map('escapeshellarg', $words)) . ' 2>/dev/null </dev/null');
        return trim((string) $output) ?: null;
    }

    /** Returns the path, or throws if it is a Linux executable of another machine. */
    private static function checked(string $path): string
    {
        $head = (string) file_get_contents($path, length: 20);
        if (!str_starts_with($head, "\x7fELF") || strlen($head) < 20) {
            return $path;
        }
        $machine = strtolower(php_uname('m'));
        $machine = self::ALIASES[$machine] ?? $machine;
        $builtFor = self::MACHINES[unpack('v', $head, 18)[1]] ?? 'another machine';
        if (PHP_OS_FAMILY === 'Linux' && $builtFor === $machine) {
            return $path;
        }
        throw new SandboxException("$path is built for Linux on $builtFor, and this machine is " . PHP_OS_FAMILY . " on $machine. "
            . 'Install the psp executable for this machine, or set PSP_BIN to it.');
    }
}
