<?php

// Appends each webhook to the file WEBHOOKS, as a line of JSON.

declare(strict_types=1);

$webhook = ['body' => file_get_contents('php://input'), 'header' => $_SERVER['HTTP_X_PSP_SIGNATURE'] ?? ''];
file_put_contents((string) getenv('WEBHOOKS'), json_encode($webhook) . "\n", FILE_APPEND);
