package psp.sandbox;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import psp.sandbox.PspException.SandboxException;

/** Finds the psp executable, and checks that this machine can run it. */
final class Executable {
    private static final String NPX = "npx --offline --no --package=psp-sandbox -c 'command -v psp' 2>/dev/null </dev/null";
    private static final Map<Integer, String> MACHINES = Map.of(0x3E, "amd64", 0xB7, "aarch64");

    private Executable() {}

    /** Returns the path in PSP_BIN, or else the executable of node_modules, of PATH, or of npx. */
    static Path find(Map<String, String> env, Path folder) {
        String named = env.getOrDefault("PSP_BIN", "");
        if (!named.isEmpty() && !isExecutable(Path.of(named))) {
            throw new SandboxException("PSP_BIN names " + named + ", which is not an executable file. Correct the path, or unset PSP_BIN.");
        }
        String found = named.isEmpty() ? installed(env.getOrDefault("PATH", ""), folder) : named;
        if (found.isEmpty()) {
            throw new SandboxException("No psp executable was found in PSP_BIN, node_modules, PATH or npx. "
                    + "Set PSP_BIN to its path, or put psp on the PATH.");
        }
        return checked(Path.of(found));
    }

    /** Returns the executable of the npm package in this directory or in a parent, of PATH, or of npx. */
    private static String installed(String path, Path folder) {
        Stream<Path> parents = Stream.iterate(folder.toAbsolutePath(), parent -> parent != null, Path::getParent);
        Stream<Path> ofPath = Stream.of(path.split(File.pathSeparator)).map(each -> Path.of(each, "psp"));
        return Stream.concat(parents.map(parent -> parent.resolve("node_modules/.bin/psp")), ofPath)
                .filter(Executable::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElseGet(() -> ofNpx(path, folder));
    }

    /** Makes npx print the path instead of running psp, so that psp is a child of this process and ends with it. */
    private static String ofNpx(String path, Path folder) {
        ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", NPX).directory(folder.toAbsolutePath().toFile());
        shell.environment().put("PATH", path);
        try (InputStream output = shell.start().getInputStream()) {
            return new String(output.readAllBytes()).strip();
        } catch (IOException error) {
            return "";
        }
    }

    private static boolean isExecutable(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }

    /** Returns the path, or throws if it is a Linux executable of another machine. */
    private static Path checked(Path path) {
        byte[] head = new byte[20];
        try (InputStream file = Files.newInputStream(path)) {
            file.readNBytes(head, 0, head.length);
        } catch (IOException error) {
            throw new SandboxException(path + " cannot be read: " + error.getMessage() + ". Set PSP_BIN to another file.");
        }
        String builtFor = MACHINES.getOrDefault((head[18] & 0xff) | (head[19] & 0xff) << 8, "another machine");
        String system = System.getProperty("os.name");
        String machine = System.getProperty("os.arch");
        boolean isElf = head[0] == 0x7f && head[1] == 'E' && head[2] == 'L' && head[3] == 'F';
        if (!isElf || system.equals("Linux") && machine.equals(builtFor)) return path;
        throw new SandboxException(path + " is built for Linux on " + builtFor + ", and this machine is " + system + " on " + machine
                + ". Install the psp executable for this machine, or set PSP_BIN to it.");
    }
}
