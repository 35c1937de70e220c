package psp.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs the tests of the README with the example shop. The working directory is that of the kit. */
class ReadmeTest {
    @Test
    void theTestsOfTheReadmePass(@TempDir Path folder) throws Exception {
        Matcher code = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(Path.of("README.md")));
        assertEquals(true, code.find());
        Path source = Files.writeString(folder.resolve("OrdersTest.java"), code.group(1));
        String[] words = {"-encoding", "UTF-8", "-d", folder.toString(), source.toString(), "examples/ExampleShop.java"};
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, words));
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            var request = LauncherDiscoveryRequestBuilder.request().selectors(selectClass(loader.loadClass("OrdersTest"))).build();
            LauncherFactory.create().execute(request, listener);
        }
        StringWriter failures = new StringWriter();
        listener.getSummary().printFailuresTo(new PrintWriter(failures));
        assertEquals(3, listener.getSummary().getTestsSucceededCount(), failures.toString());
    }
}
