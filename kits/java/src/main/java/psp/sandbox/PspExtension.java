package psp.sandbox;

import java.util.List;
import org.junit.jupiter.api.extension.*;

/**
 * Gives tests a separate {@link Shop} and the {@link Sandbox} as parameters. All classes with the same flags share a
 * sandbox, which ends after the last test.
 *
 * @param flags those of {@link Sandbox#start}
 */
public record PspExtension(String... flags) implements ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(PspExtension.class);

    /** A sandbox without flags, for {@code @ExtendWith}. */
    public PspExtension() {
        this(new String[0]);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return List.of(Shop.class, Sandbox.class).contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ExtensionContext.Store shared = context.getRoot().getStore(NAMESPACE);
        Sandbox sandbox = shared.getOrComputeIfAbsent(List.of(flags), key -> Sandbox.start(flags), Sandbox.class);
        if (parameter.getParameter().getType() == Sandbox.class) return sandbox;
        return context.getStore(NAMESPACE).getOrComputeIfAbsent(Shop.class, key -> sandbox.shop(), Shop.class);
    }
}
