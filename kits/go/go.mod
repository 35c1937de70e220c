module psp.test/pspsandbox

go 1.22
