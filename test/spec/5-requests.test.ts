// Spec 5: how requests are let in, and how they may be repeated.
import { casesOf } from '../contract/cases.ts'
import { openSandboxDoor } from '../contract/door.ts'
import { contractSuite } from '../contract/suite.ts'

contractSuite('5 authentication', openSandboxDoor, casesOf('5'))
