package psp.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static psp.sandbox.KitTest.assertContains;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import psp.sandbox.PspException.SandboxException;

/** Bad input gets one clear error. */
@ExtendWith(PspExtension.class)
class ErrorsTest {
    @TempDir
    Path folder;

    @Test
    void noExecutableIsAnError() {
        assertContains("Set PSP_BIN to its path", startError(Map.of("PATH", folder.toString())));
    }

    @Test
    void theExecutableIsFoundInThePackageThenInPath() throws IOException {
        Map<String, String> env = Map.of("PATH", folder.toString());
        for (String name : List.of("psp", "node_modules/.bin/psp")) {
            assertEquals(program(name, "#!/bin/sh\n"), Executable.find(env, folder));
        }
    }

    @Test
    void aWrongPathInPspBinIsAnError() {
        assertContains("missing, which is not an executable file", startError(bin(folder.resolve("missing"))));
    }

    @Test
    void anExecutableOfAnotherMachineIsAnError() throws IOException {
        String foreign = "\u007fELF\2\1\1" + "\0".repeat(11) + "\u00f3\0";
        assertContains("it is built for another machine. Set PSP_BIN to the psp executable for ", startError(bin(program("foreign", foreign))));
    }

    @Test
    void aProgramThatIsNotPspIsAnError() throws IOException {
        Map<String, String> env = bin(program("other", "#!/bin/sh\necho hello\nexit 3\n"));
        assertContains("exit code 3). hello", startError(env));
    }

    @Test
    void aPortInUseIsAnError(Sandbox sandbox) {
        int port = URI.create(sandbox.url).getPort();
        SandboxException error = startError(System.getenv(), "--port=" + port);
        assertContains("exit code 9). Port " + port + " ", error);
        assertContains("is in use", error);
        assertContains("--port", error);
    }

    @Test
    void aWrongFlagIsAnError() {
        assertContains("exit code 2", startError(System.getenv(), "--clock=yesterday"));
    }

    @Test
    void aSandboxThatWasKilledDuringTheTestIsAnError() {
        try (Sandbox sandbox = Sandbox.start()) {
            Shop shop = sandbox.shop();
            ProcessHandle.of(sandbox.pid).orElseThrow().destroyForcibly();
            String message = "ended during the test (signal 9). Find what ended process " + sandbox.pid + ", and run the tests again.";
            assertContains(message, assertThrows(SandboxException.class, () -> shop.payments.create(100)));
        }
    }

    @Test
    void aRequestAfterCloseIsAnError() {
        Sandbox sandbox = Sandbox.start();
        sandbox.close();
        assertContains("was closed by close()", assertThrows(SandboxException.class, sandbox::shop));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cut", "reset"})
    void aConnectionThatAFaultBreaksIsAnError(String fault, Shop shop) {
        shop.faults.add("api", fault, Map.of(), 1);
        assertContains("A fault of the API such as `cut`", assertThrows(SandboxException.class, () -> shop.payments.create(100)));
    }

    /** The process that starts a sandbox, and that the test kills. */
    public static final class Parent {
        public static void main(String[] args) throws InterruptedException {
            System.out.println(Sandbox.start().pid);
            Thread.sleep(60_000);
        }
    }

    @Test
    void theSandboxEndsWithTheProcessThatStartedIt() throws Exception {
        String java = ProcessHandle.current().info().command().orElseThrow();
        Process parent = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Parent.class.getName()).start();
        BufferedReader output = new BufferedReader(new InputStreamReader(parent.getInputStream()));
        ProcessHandle sandbox = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
        assertTrue(sandbox.isAlive());
        parent.destroyForcibly();
        sandbox.onExit().get(60, TimeUnit.SECONDS);
    }

    private SandboxException startError(Map<String, String> env, String... flags) {
        return assertThrows(SandboxException.class, () -> new Sandbox(Executable.find(env, folder), flags).close());
    }

    private Map<String, String> bin(Path path) {
        return Map.of("PSP_BIN", path.toString());
    }

    private Path program(String name, String content) throws IOException {
        Path path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        Files.write(path, content.getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(path.toFile().setExecutable(true));
        return path;
    }
}
