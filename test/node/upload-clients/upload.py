# Sends each upload of the standard input with urllib, which writes the whole body before it reads; prints the statuses.
import sys
import urllib.error
import urllib.request

for line in sys.stdin:
    method, url, key, content_type, size = line.rstrip("\n").split("|")
    request = urllib.request.Request(url, data=b"x" * int(size), method=method)
    request.add_header("Content-Type", content_type)
    if key:
        request.add_header("Authorization", "Bearer " + key)
    try:
        with urllib.request.urlopen(request) as response:
            print(response.status)
    except urllib.error.HTTPError as error:
        error.read()
        print(error.code)
    except Exception as error:
        print(repr(error))
