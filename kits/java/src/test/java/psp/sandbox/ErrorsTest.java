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
        assertContains("Set PSP_BIN to its path", startError(new Sandbox.Options(), Map.of("PATH", folder.toString())));
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
        assertContains("missing, which is not an executable file", startError(new Sandbox.Options(), bin(folder.resolve("missing"))));
    }

    @Test
    void anExecutableOfAnotherMachineIsAnError() throws IOException {
        String foreign = "\u007fELF\2\1\1" + "\0".repeat(11) + "\u00f3\0";
        assertContains("it is built for another one. Set PSP_BIN to the psp executable for ", startError(new Sandbox.Options(), bin(program("foreign", foreign))));
    }

    @Test
    void aProgramThatIsNotPspIsAnError() throws IOException {
        Map<String, String> env = bin(program("other", "#!/bin/sh\necho hello\nexit 3\n"));
        assertContains("exit code 3). hello", startError(new Sandbox.Options(), env));
    }

    @Test
    void aPortInUseIsAnError(Sandbox sandbox) {
        int port = URI.create(sandbox.url()).getPort();
        SandboxException error = startError(new Sandbox.Options().withPort(port), System.getenv());
        assertContains("exit code 9). Port " + port + " ", error);
        assertContains("is in use", error);
        assertContains("--port", error);
    }

    @Test
    void aWrongOptionIsAnError() {
        assertContains("exit code 2", startError(new Sandbox.Options().withClock("yesterday"), System.getenv()));
    }

    @Test
    void aSandboxThatWasKilledDuringTheTestIsAnError() {
        try (Sandbox sandbox = Sandbox.start(new Sandbox.Options())) {
            Shop shop = sandbox.shop();
            ProcessHandle.of(sandbox.pid()).orElseThrow().destroyForcibly();
            String message = "ended during the test (signal 9). Find what ended process " + sandbox.pid() + ", and run the tests again.";
            assertContains(message, assertThrows(SandboxException.class, () -> shop.payments().create(100)));
        }
    }

    @Test
    void aRequestAfterCloseIsAnError() {
        Sandbox sandbox = Sandbox.start(new Sandbox.Options());
        sandbox.close();
        assertContains("was closed by close()", assertThrows(SandboxException.class, sandbox::shop));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cut", "reset"})
    void aConnectionThatAFaultBreaksIsAnError(String fault, Shop shop) {
        shop.faults().add("api", fault, 1);
        assertContains("A fault of the API such as `cut`", assertThrows(SandboxException.class, () -> shop.payments().create(100)));
    }

    /** The process that starts a sandbox, and that the test kills. */
    public static final class Parent {
        public static void main(String[] args) throws InterruptedException {
            System.out.println(Sandbox.start(new Sandbox.Options()).pid());
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

    private SandboxException startError(Sandbox.Options options, Map<String, String> env) {
        return assertThrows(SandboxException.class, () -> Sandbox.start(options, env, folder).close());
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
