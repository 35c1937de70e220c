// Runs the cases through the other adapters. test/spec/ runs them through `sandbox.fetch`, so a difference is a bug of an adapter.

import { openNodeAdapter } from './adapter.ts'
import { CONTRACT_CASES } from './cases.ts'
import { openMswAdapter } from './msw-adapter.ts'
import { openOpenapiFetchAdapter } from './openapi-fetch-adapter.ts'
import { contractSuite } from './suite.ts'
import { openJoinedAdapter, openTestingAdapter } from './testing-adapter.ts'

contractSuite('the node server', openNodeAdapter, CONTRACT_CASES)
contractSuite('a client generated from the document', openOpenapiFetchAdapter, CONTRACT_CASES)
contractSuite('startSandbox, in process', openTestingAdapter, CONTRACT_CASES)
contractSuite('startSandbox, over HTTP', openJoinedAdapter, CONTRACT_CASES)
contractSuite('MSW handlers', openMswAdapter, CONTRACT_CASES)
