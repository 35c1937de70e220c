import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { Services } from '../services.ts'

/** Mounts `/_psp/…`. Middleware stays under that prefix: a handler that matches elsewhere slows every public call. */
export function mountControl(_app: Hono<AppEnv>, _services: Services): void {}
