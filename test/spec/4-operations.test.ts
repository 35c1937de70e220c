// Spec 4: every operation, its body and its answers.
import { casesOf } from '../contract/cases.ts'
import { openSandboxDoor } from '../contract/door.ts'
import { contractSuite } from '../contract/suite.ts'

contractSuite('4 operations', openSandboxDoor, casesOf('4'))
