<?php

// A shop on Symfony's HttpKernel. Run it with the variables of psp:
// `PHP_CLI_SERVER_WORKERS=4 php -S 127.0.0.1:8000 symfony_shop.php`

declare(strict_types=1);

use Psp\Sandbox\InvalidSignatureException;
use Psp\Sandbox\Webhook;
use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\RequestStack;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Controller\ArgumentResolver;
use Symfony\Component\HttpKernel\Controller\ControllerResolver;
use Symfony\Component\HttpKernel\EventListener\RouterListener;
use Symfony\Component\HttpKernel\HttpKernel;
use Symfony\Component\Routing\Matcher\UrlMatcher;
use Symfony\Component\Routing\RequestContext;
use Symfony\Component\Routing\Route;
use Symfony\Component\Routing\RouteCollection;

require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/orders.php';

$orders = new Orders();

$place = function (Request $request) use ($orders): Response {
    $order = json_decode($request->getContent(), true);
    return new JsonResponse($orders->place($order['id'], $order['amount']));
};

$get = fn (string $id): Response => new JsonResponse($orders->get($id));

$hooks = function (Request $request) use ($orders): Response {
    try {
        $event = Webhook::verify($request->getContent(), $request->headers->get('X-PSP-Signature'), (string) getenv('PSP_WEBHOOK_SECRET'));
    } catch (InvalidSignatureException $error) {
        return new Response($error->getMessage(), 400);
    }
    $orders->take($event);
    return new Response();
};

$routes = new RouteCollection();
$routes->add('place', (new Route('/orders', ['_controller' => $place]))->setMethods('POST'));
$routes->add('get', (new Route('/orders/{id}', ['_controller' => $get]))->setMethods('GET'));
$routes->add('hooks', (new Route('/hooks', ['_controller' => $hooks]))->setMethods('POST'));

$requests = new RequestStack();
$events = new EventDispatcher();
$events->addSubscriber(new RouterListener(new UrlMatcher($routes, new RequestContext()), $requests));
$kernel = new HttpKernel($events, new ControllerResolver(), $requests, new ArgumentResolver());
$kernel->handle(Request::createFromGlobals())->send();
