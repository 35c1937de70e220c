package psp.sandbox;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import psp.sandbox.PspException.SandboxException;

/** Finds the psp executable, and checks that this machine can run it. */
final class Executable {
    private Executable() {}

    /** Returns the path in PSP_BIN, or else the executable of node_modules or of PATH. */
    static Path find(Map<String, String> env, Path folder) {
        String named = env.getOrDefault("PSP_BIN", "");
        if (!named.isEmpty() && !isExecutable(Path.of(named))) {
            throw new SandboxException("PSP_BIN names " + named + ", which is not an executable file. Correct the path, or unset PSP_BIN.");
        }
        Stream<Path> parents = Stream.iterate(folder.toAbsolutePath(), parent -> parent != null, Path::getParent);
        Stream<Path> ofPath = Stream.of(env.getOrDefault("PATH", "").split(File.pathSeparator)).map(each -> Path.of(each, "psp"));
        Stream<Path> installed = Stream.concat(parents.map(parent -> parent.resolve("node_modules/.bin/psp")), ofPath);
        Path found = (named.isEmpty() ? installed : Stream.of(Path.of(named))).filter(Executable::isExecutable).findFirst()
                .orElseThrow(() -> new SandboxException("No psp executable was found in PSP_BIN, node_modules or PATH. "
                        + "Set PSP_BIN to its path, or put psp on the PATH."));
        String machine = elfMachine(found);
        if (machine.isEmpty() || machine.equals(elfMachine(Path.of(System.getProperty("java.home"), "bin", "java")))) return found;
        throw cannotRun(found, "it is built for another one");
    }

    static SandboxException cannotRun(Path executable, String cause) {
        return new SandboxException(executable + " cannot run on this machine: " + cause + ". Set PSP_BIN to the psp executable for "
                + System.getProperty("os.name") + " on " + System.getProperty("os.arch") + ".");
    }

    private static boolean isExecutable(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }

    /** Returns the machine of a Linux executable, or nothing for another file. Java starts a foreign one as a shell script. */
    private static String elfMachine(Path path) {
        try (InputStream file = Files.newInputStream(path)) {
            String head = new String(file.readNBytes(20), StandardCharsets.ISO_8859_1);
            return head.startsWith("\u007fELF") ? head.substring(18) : "";
        } catch (IOException error) {
            return "";
        }
    }
}
