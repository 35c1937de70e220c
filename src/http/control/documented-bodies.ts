// The bodies of requests in the OpenAPI document, if it says more about one than the schema that the server checks with.
import type { Schemas } from '../openapi/documented.ts'
import { ACTS } from './acts.ts'
import { CLOCK_MODES } from './clock.ts'
import { settingsChange } from './settings-schemas.ts'

/** By the name of the route. */
export const DOCUMENTED_BODIES: { readonly [name: string]: Schemas[string] } = { changeSettings: settingsChange }

/** The schemas inside bodies that clients name. */
export const BODY_PARTS: Schemas = { ...ACTS, ...CLOCK_MODES }
