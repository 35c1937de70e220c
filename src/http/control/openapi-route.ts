import { type ControlRoute, ok, route } from './route.ts'

/** Gets the routes lazily, because its route is one of them. */
export function openapi(routes: () => readonly ControlRoute[]) {
  return [
    route({
      name: 'getOpenApi',
      method: 'GET',
      path: '/openapi.json',
      summary: 'Get this document',
      description: 'Returns the OpenAPI document of the control API.',
      responses: { 200: 'OpenApiDocument' },
      async run() {
        // Loaded on demand, because no other request needs its schemas.
        const { controlDocument } = await import('./document.ts')
        return ok(controlDocument(routes()))
      },
    }),
  ]
}
