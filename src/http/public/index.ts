import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { Services } from '../services.ts'

export function mountPublic(_app: Hono<AppEnv>, _services: Services): void {}
