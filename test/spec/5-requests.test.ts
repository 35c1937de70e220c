// Spec 5: authentication and repetition of requests.

import { openSandboxAdapter } from '../contract/adapter.ts'
import { casesOf } from '../contract/cases.ts'
import { contractSuite } from '../contract/suite.ts'

contractSuite('5 authentication', openSandboxAdapter, casesOf('5'))
