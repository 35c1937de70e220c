package psp.sandbox;

import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.Stream;
import psp.sandbox.PspException.SandboxException;

/** Finds the psp executable, and checks that this machine can run it. */
final class Executable {
    /** Returns the path in PSP_BIN. Without it, returns the executable of node_modules or of PATH. */
    static Path find(Map<String, String> env, Path folder) {
        String named = env.getOrDefault("PSP_BIN", "");
        Stream<Path> folders = Stream.iterate(folder.toAbsolutePath(), Objects::nonNull, Path::getParent);
        Stream<Path> ofPackage = folders.map(each -> each.resolve("node_modules/.bin/psp"));
        Stream<Path> ofPath = Stream.of(env.getOrDefault("PATH", "").split(File.pathSeparator)).map(each -> Path.of(each, "psp"));
        Stream<Path> candidates = named.isEmpty() ? Stream.concat(ofPackage, ofPath) : Stream.of(Path.of(named));
        Path found = candidates.filter(path -> Files.isRegularFile(path) && Files.isExecutable(path)).findFirst()
                .orElseThrow(() -> new SandboxException(named.isEmpty()
                        ? "No psp executable was found in PSP_BIN, node_modules or PATH. Set PSP_BIN to its path, or put psp on the PATH."
                        : "PSP_BIN names %s, which is not an executable file. Correct the path, or unset PSP_BIN.", named));
        if (List.of("", elfMachine(Path.of(System.getProperty("java.home"), "bin/java"))).contains(elfMachine(found))) return found;
        throw cannotRun(found, "it is built for another machine");
    }

    static SandboxException cannotRun(Path executable, String cause) {
        return new SandboxException("%s cannot run on this machine: %s. Set PSP_BIN to the psp executable for %s on %s.",
                executable, cause, System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /**
     * Returns the machine type of a Linux executable, or nothing for other files. Java would run an executable of
     * another machine as a shell script.
     */
    private static String elfMachine(Path path) {
        try (InputStream file = Files.newInputStream(path)) {
            String head = HexFormat.of().formatHex(file.readNBytes(20));
            return head.startsWith("7f454c46") ? head.substring(36) : "";
        } catch (IOException error) {
            return "";
        }
    }
}
