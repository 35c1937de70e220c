/**
 * An esbuild plugin: what ink loads for those who work on it, under DEV=true, is nothing here. The bundler does not see that the
 * branch is never taken, and would ship it with a WebSocket client.
 */
export function withoutDevtools() {
  return {
    name: 'without-devtools',
    setup(build) {
      build.onResolve({ filter: /^\.\/devtools\.js$/ }, ({ path, importer }) =>
        /[\\/]ink[\\/]build[\\/]/.test(importer) ? { path, namespace: 'nothing' } : undefined,
      )
      build.onLoad({ filter: /./, namespace: 'nothing' }, () => ({ contents: '' }))
    },
  }
}
