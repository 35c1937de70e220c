// Package pspsandbox runs a psp sandbox for tests: a local payment service provider with outcomes, a clock and faults
// under control.
package pspsandbox
