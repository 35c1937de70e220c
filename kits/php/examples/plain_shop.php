<?php

// A shop in plain PHP: `PHP_CLI_SERVER_WORKERS=4 php -S 127.0.0.1:8000 plain_shop.php` with the variables of psp.

declare(strict_types=1);

use Psp\Sandbox\InvalidSignatureException;
use Psp\Sandbox\Webhook;

require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/orders.php';

$orders = new Orders();
$body = (string) file_get_contents('php://input');
$route = $_SERVER['REQUEST_METHOD'] . ' ' . preg_replace('~(?<=^/orders/).+~', '{id}', $path = rawurldecode($_SERVER['REQUEST_URI']));

header('Content-Type: application/json');
switch ($route) {
    case 'POST /orders':
        $order = json_decode($body, true);
        echo json_encode($orders->place($order['id'], $order['amount']));
        break;
    case 'GET /orders/{id}':
        echo json_encode($orders->get(substr($path, strlen('/orders/'))));
        break;
    case 'POST /hooks':
        try {
            $orders->take(Webhook::verify($body, $_SERVER['HTTP_X_PSP_SIGNATURE'] ?? null, (string) getenv('PSP_WEBHOOK_SECRET')));
        } catch (InvalidSignatureException $error) {
            http_response_code(400);
            echo json_encode(['error' => $error->getMessage()]);
        }
        break;
    default:
        http_response_code(404);
}
