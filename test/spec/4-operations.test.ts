// Spec 4: each operation, its body and its responses.

import { openSandboxAdapter } from '../contract/adapter.ts'
import { casesOf } from '../contract/cases.ts'
import { contractSuite } from '../contract/suite.ts'

contractSuite('4 operations', openSandboxAdapter, casesOf('4'))
