// Runs the cases through the other adapters. test/spec/ runs them through `sandbox.fetch`, so a difference is a bug of an adapter.
// Each case gets a new sandbox there, so here the cases of an adapter share one.

import { openNodeAdapter } from './adapter.ts'
import { CONTRACT_CASES } from './cases.ts'
import { openMswAdapter } from './msw-adapter.ts'
import { openOpenapiFetchAdapter } from './openapi-fetch-adapter.ts'
import { sharedContractSuite } from './suite.ts'
import { openJoinedAdapter, openTestingAdapter } from './testing-adapter.ts'

sharedContractSuite('the node server', openNodeAdapter, CONTRACT_CASES)
sharedContractSuite('a client generated from the document', openOpenapiFetchAdapter, CONTRACT_CASES)
sharedContractSuite('startSandbox, in process', openTestingAdapter, CONTRACT_CASES)
sharedContractSuite('startSandbox, over HTTP', openJoinedAdapter, CONTRACT_CASES)
sharedContractSuite('MSW handlers', openMswAdapter, CONTRACT_CASES)
