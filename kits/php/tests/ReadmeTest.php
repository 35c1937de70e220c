<?php

// Runs the tests of the README with each example shop.

declare(strict_types=1);

use PHPUnit\Framework\TestCase;

final class ReadmeTest extends TestCase
{
    /** @dataProvider shops */
    public function testTheTestsOfTheReadmePassWithTheShop(string $shop): void
    {
        $kit = dirname(__DIR__);
        preg_match('/```php\n(.*?)```/s', (string) file_get_contents("$kit/README.md"), $match);
        $folder = sys_get_temp_dir() . '/psp-readme-' . bin2hex(random_bytes(4));
        mkdir("$folder/vendor", recursive: true);
        file_put_contents("$folder/OrdersTest.php", $match[1]);
        copy("$kit/examples/$shop.php", "$folder/shop.php");
        copy("$kit/examples/orders.php", "$folder/orders.php");
        // Debian's packages have an autoloader each; Composer would write one file for all.
        $components = $shop === 'symfony_shop' ? ['HttpKernel', 'HttpFoundation', 'EventDispatcher', 'Routing'] : [];
        $required = ["$kit/src/autoload.php", ...array_map(fn (string $name) => "Symfony/Component/$name/autoload.php", $components)];
        $lines = array_map(fn (string $file) => 'require_once ' . var_export($file, true) . ";\n", $required);
        file_put_contents("$folder/vendor/autoload.php", "<?php\n" . implode($lines));
        $words = [PHP_BINARY, $_SERVER['SCRIPT_FILENAME'], '--bootstrap', "$folder/vendor/autoload.php", '--do-not-cache-result', "$folder/OrdersTest.php"];
        exec(implode(' ', array_map('escapeshellarg', $words)) . ' 2>&1', $output, $code);
        $this->assertStringContainsString('OK (3 tests, 3 assertions)', implode("\n", $output));
        exec('rm -rf ' . escapeshellarg($folder));
    }

    /** @return list<array{string}> */
    public static function shops(): array
    {
        return [['plain_shop'], ['symfony_shop']];
    }
}
