// Spec 4: every operation, its body and its answers.

import { openSandboxAdapter } from '../contract/adapter.ts'
import { casesOf } from '../contract/cases.ts'
import { contractSuite } from '../contract/suite.ts'

contractSuite('4 operations', openSandboxAdapter, casesOf('4'))
