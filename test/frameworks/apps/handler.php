/* VERIFY */

$rawBody = RAW_BODY;
if (!verify($rawBody, $_SERVER['HTTP_X_PSP_SIGNATURE'] ?? null, getenv('SECRET'))) {
    http_response_code(400);
    echo 'invalid signature';
    return;
}
json_decode($rawBody, false, 512, JSON_THROW_ON_ERROR);
echo 'ok';
