/** Code that returns the received bytes of a body in each framework. `test/frameworks` runs each entry. */
export const RAW_BODY_CODE = {
  Express: 'express.raw({ type: "application/json", limit: "2mb" })',
  Fastify:
    'app.addContentTypeParser("application/json", { parseAs: "buffer", bodyLimit: 2097152 }, (request, body, done) => done(null, body))',
  Hono: 'await c.req.arrayBuffer()',
  Flask: 'request.get_data()',
  FastAPI: 'await request.body()',
  Django: 'request.body',
  PHP: 'file_get_contents("php://input")',
  Go: 'io.ReadAll(r.Body)',
} as const

export type Framework = keyof typeof RAW_BODY_CODE

/** Returns `Flask: request.get_data(). PHP: …` for the given frameworks. */
export function rawBodyAdvice(...frameworks: readonly Framework[]): string {
  return frameworks.map((name) => `${name}: ${RAW_BODY_CODE[name]}${POSITIONS[name] ?? ''}.`).join(' ')
}

/** The position of the code, if it matters. */
const POSITIONS: { readonly [name in Framework]?: string } = { Express: ' on this route, above express.json()' }
