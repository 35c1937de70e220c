/**
 * An esbuild plugin that replaces Ink's developer tools by an empty module. Ink loads them only under DEV=true, but the
 * bundler would include them with a WebSocket client.
 */
export function excludeDevtools() {
  return {
    name: 'exclude-devtools',
    setup(build) {
      build.onResolve({ filter: /^\.\/devtools\.js$/ }, ({ path, importer }) =>
        /[\\/]ink[\\/]build[\\/]/.test(importer) ? { path, namespace: 'nothing' } : undefined,
      )
      build.onLoad({ filter: /./, namespace: 'nothing' }, () => ({ contents: '' }))
    },
  }
}
