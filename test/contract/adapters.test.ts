// Runs the cases through the other adapters. test/spec/ runs them through `sandbox.fetch`, so a difference is a bug of an adapter.

import { openNodeAdapter } from './adapter.ts'
import { CONTRACT_CASES } from './cases.ts'
import { openMswAdapter } from './msw-adapter.ts'
import { openOpenapiFetchAdapter } from './openapi-fetch-adapter.ts'
import { contractSuite } from './suite.ts'
import { openJoinedAdapter, openTestingAdapter } from './testing-adapter.ts'

/** These adapters call one sandbox in memory, so its state does not depend on them. */
const CASES = CONTRACT_CASES.filter(({ about }) => about === 'calls')

// The server has its own code for common requests, so it runs all cases.
contractSuite('the node server', openNodeAdapter, CONTRACT_CASES)
contractSuite('a client generated from the document', openOpenapiFetchAdapter, CASES)
contractSuite('startSandbox, in process', openTestingAdapter, CASES)
contractSuite('startSandbox, over HTTP', openJoinedAdapter, CASES)
contractSuite('MSW handlers', openMswAdapter, CASES)
