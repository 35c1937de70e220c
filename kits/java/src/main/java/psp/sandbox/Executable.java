package psp.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import psp.sandbox.PspException.SandboxException;

/** Finds the psp executable, and checks that this machine can run it. */
final class Executable {
    private static final Map<Integer, String> MACHINES = Map.of(0x3E, "amd64", 0xB7, "aarch64");
    private static final List<String> OF_NPX = List.of("--offline", "--no", "--package=psp-sandbox", "-c", "command -v psp");

    private Executable() {}

    /** Returns the path in PSP_BIN, or else the executable of node_modules, of PATH, or of npx. */
    static Path find(Map<String, String> env, Path folder) {
        String named = env.getOrDefault("PSP_BIN", "");
        if (!named.isEmpty()) {
            Path path = Path.of(named);
            if (!Files.isRegularFile(path) || !Files.isExecutable(path)) {
                throw new SandboxException("PSP_BIN names " + named + ", which is not an executable file. Correct the path, or unset PSP_BIN.");
            }
            return checked(path);
        }
        Stream<Path> parents = Stream.iterate(folder.toAbsolutePath(), parent -> parent != null, Path::getParent);
        return parents.map(parent -> parent.resolve("node_modules/.bin/psp"))
                .filter(Files::isExecutable)
                .findFirst()
                .or(() -> Stream.ofNullable(onPath(env, "psp")).findFirst())
                .or(() -> Stream.ofNullable(ofNpx(env, folder)).findFirst())
                .map(Executable::checked)
                .orElseThrow(() -> new SandboxException("No psp executable was found in PSP_BIN, node_modules, PATH or npx. "
                        + "Set PSP_BIN to its path, or put psp on the PATH."));
    }

    private static Path onPath(Map<String, String> env, String name) {
        return Stream.of(env.getOrDefault("PATH", "").split(java.io.File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(path -> Files.isRegularFile(path) && Files.isExecutable(path))
                .findFirst()
                .orElse(null);
    }

    /** Makes npx print the path instead of running psp, so that psp is a child of this process and ends with it. */
    private static Path ofNpx(Map<String, String> env, Path folder) {
        Path npx = onPath(env, "npx");
        if (npx == null) return null;
        try {
            ProcessBuilder builder = new ProcessBuilder(Stream.concat(Stream.of(npx.toString()), OF_NPX.stream()).toList());
            Process process = builder.directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            process.getOutputStream().close();
            String line = new String(process.getInputStream().readAllBytes()).strip();
            process.waitFor(30, TimeUnit.SECONDS);
            return line.isEmpty() ? null : Path.of(line);
        } catch (IOException error) {
            return null;
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Returns the path, or throws if it is a Linux executable of another machine. */
    private static Path checked(Path path) {
        byte[] head;
        try (InputStream file = Files.newInputStream(path)) {
            head = file.readNBytes(20);
        } catch (IOException error) {
            throw new SandboxException(path + " cannot be read: " + error.getMessage() + ". Set PSP_BIN to another file.");
        }
        if (head.length < 20 || head[0] != 0x7f || head[1] != 'E' || head[2] != 'L' || head[3] != 'F') return path;
        String builtFor = MACHINES.getOrDefault((head[18] & 0xff) | (head[19] & 0xff) << 8, "another machine");
        String system = System.getProperty("os.name");
        String machine = System.getProperty("os.arch");
        if (system.equals("Linux") && machine.equals(builtFor)) return path;
        throw new SandboxException(path + " is built for Linux on " + builtFor + ", and this machine is " + system + " on " + machine
                + ". Install the psp executable for this machine, or set PSP_BIN to it.");
    }
}
