package psp.sandbox;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a separate {@link Shop} and the {@link Sandbox} as parameters. All classes with the same options share a sandbox,
 * which ends after the last test.
 */
public final class PspExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(PspExtension.class);

    private final Sandbox.Options options;

    /** A sandbox with the default options. */
    public PspExtension() {
        this(new Sandbox.Options());
    }

    /** A sandbox with the options, for {@code @RegisterExtension}. */
    public PspExtension(Sandbox.Options options) {
        this.options = options;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Shop.class || type == Sandbox.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Sandbox sandbox = context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(options, Sandbox::start, Sandbox.class);
        if (parameter.getParameter().getType() == Sandbox.class) return sandbox;
        return context.getStore(NAMESPACE).getOrComputeIfAbsent(Shop.class, key -> sandbox.shop(), Shop.class);
    }
}
