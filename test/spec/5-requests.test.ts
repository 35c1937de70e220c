// Spec 5: how requests are let in, and how they may be repeated.

import { openSandboxAdapter } from '../contract/adapter.ts'
import { casesOf } from '../contract/cases.ts'
import { contractSuite } from '../contract/suite.ts'

contractSuite('5 authentication', openSandboxAdapter, casesOf('5'))
