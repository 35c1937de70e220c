<?php

// Finds the psp executable, and checks that this machine can run it.

declare(strict_types=1);

namespace Psp\Sandbox;

final class Executable
{
    private const NPX = "npx --offline --no --package=psp-sandbox -c 'command -v psp' 2>/dev/null </dev/null";
    private const MACHINES = [0x3E => ['x86_64', 'amd64'], 0xB7 => ['aarch64', 'arm64']];

    /** Returns the path in PSP_BIN, or else the executable of node_modules, of PATH, or of npx. */
    public static function find(): string
    {
        $named = (string) getenv('PSP_BIN');
        if ($named !== '' && !self::isExecutable($named)) {
            throw new SandboxException("PSP_BIN names $named, which is not an executable file. Correct the path, or unset PSP_BIN.");
        }
        $found = $named ?: self::installed();
        if ($found === '') {
            throw new SandboxException('No psp executable was found in PSP_BIN, node_modules, PATH or npx. '
                . 'Set PSP_BIN to its path, or put psp on the PATH.');
        }
        return self::checked($found);
    }

    /** Returns the executable of the npm package in this directory or in a parent, of PATH, or of npx. */
    private static function installed(): string
    {
        for ($folders = [(string) getcwd()]; end($folders) !== dirname(end($folders)); $folders[] = dirname(end($folders)));
        $paths = array_map(fn (string $folder) => "$folder/node_modules/.bin/psp", $folders);
        foreach (explode(PATH_SEPARATOR, (string) getenv('PATH')) as $folder) {
            $paths[] = "$folder/psp";
        }
        // npx prints the path instead of running psp, so that psp is a child of this process and ends with it.
        return current(array_filter($paths, self::isExecutable(...))) ?: trim((string) shell_exec(self::NPX));
    }

    private static function isExecutable(string $path): bool
    {
        return is_file($path) && is_executable($path);
    }

    /** Returns the path, or throws if it is a Linux executable of another machine. */
    private static function checked(string $path): string
    {
        $head = str_pad((string) file_get_contents($path, length: 20), 20);
        $builtFor = self::MACHINES[unpack('v', $head, 18)[1]] ?? ['another machine'];
        $machine = strtolower(php_uname('m'));
        if (str_starts_with($head, "\x7fELF") && (PHP_OS_FAMILY !== 'Linux' || !in_array($machine, $builtFor, true))) {
            throw new SandboxException("$path is built for Linux on $builtFor[0], and this machine is " . PHP_OS_FAMILY . " on $machine. "
                . 'Install the psp executable for this machine, or set PSP_BIN to it.');
        }
        return $path;
    }
}
