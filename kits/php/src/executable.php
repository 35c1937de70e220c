<?php

// Finds the psp executable, and checks that this machine can run it.

declare(strict_types=1);

namespace Psp\Sandbox;

final class Executable
{
    /** Returns the path in PSP_BIN. Without it, returns the executable of node_modules or of PATH. */
    public static function find(): string
    {
        $named = (string) getenv('PSP_BIN');
        if ($named !== '' && !self::isExecutable($named)) {
            throw new SandboxException("PSP_BIN names $named, which is not an executable file. Correct the path, or unset PSP_BIN.");
        }
        for ($folders = [(string) getcwd()]; end($folders) !== dirname(end($folders)); $folders[] = dirname(end($folders)));
        $paths = array_map(fn (string $folder) => "$folder/node_modules/.bin/psp", $folders);
        $ofPath = array_map(fn (string $folder) => "$folder/psp", explode(PATH_SEPARATOR, (string) getenv('PATH')));
        $found = $named ?: current(array_filter([...$paths, ...$ofPath], self::isExecutable(...)));
        if ($found === false) {
            throw new SandboxException('No psp executable was found in PSP_BIN, node_modules or PATH. '
                . 'Set PSP_BIN to its path, or put psp on the PATH.');
        }
        if (!in_array(self::elfMachine($found), ['', self::elfMachine(PHP_BINARY)], true)) {
            throw self::cannotRun($found, 'it is built for another machine');
        }
        return $found;
    }

    public static function cannotRun(string $executable, string $cause): SandboxException
    {
        $machine = PHP_OS_FAMILY . ' on ' . php_uname('m');
        return new SandboxException("$executable cannot run on this machine: $cause. Set PSP_BIN to the psp executable for $machine.");
    }

    private static function isExecutable(string $path): bool
    {
        return is_file($path) && is_executable($path);
    }

    /**
     * Returns the machine type of a Linux executable, or nothing for other files. PHP would run an executable of
     * another machine as a shell script.
     */
    private static function elfMachine(string $path): string
    {
        $head = (string) file_get_contents($path, length: 20);
        return str_starts_with($head, "\x7fELF") ? substr($head, 18) : '';
    }
}
