import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import TerserPlugin from 'terser-webpack-plugin';

const here = dirname(fileURLToPath(import.meta.url));
const at = (...parts) => resolve(here, ...parts);

/** Files of public/ keep their names: pictures are addressed by slug and width, not by hash. */
class CopyPublicPlugin {
  apply(compiler) {
    compiler.hooks.afterEmit.tap('CopyPublicPlugin', () => {
      if (existsSync(at('public'))) cpSync(at('public'), at('dist'), { recursive: true });
    });
  }
}

/** Leaves behind which files each entry and each lazy route loads, for scripts/check-budgets.mjs. */
class ChunkReportPlugin {
  apply(compiler) {
    compiler.hooks.done.tap('ChunkReportPlugin', (stats) => {
      const { namedChunkGroups } = stats.toJson({ all: false, chunkGroups: true });
      const groups = Object.fromEntries(
        Object.entries(namedChunkGroups).map(([name, group]) => [
          name,
          group.assets.map((asset) => asset.name),
        ]),
      );
      mkdirSync(at('.build'), { recursive: true });
      writeFileSync(at('.build/chunks.json'), JSON.stringify(groups, null, 2));
    });
  }
}

const apiPaths = [
  '/products',
  '/overview',
  '/reviews',
  '/user',
  '/admin',
  '/orders',
  '/allOrders',
  '/create-payment-intent',
  '/sandbox',
  '/info',
  '/images',
  '/newsletter',
  '/config',
  '/auth',
  '/webhooks',
  '/health',
  '/openapi.json',
];

export default (_env, argv) => {
  const production = argv.mode === 'production';
  return {
    mode: production ? 'production' : 'development',
    target: ['web', 'es2022'],
    entry: {
      main: at('src/main.tsx'),
      // Loaded blocking and before the styles, so that a chosen theme never flashes the other one.
      boot: at('src/boot.ts'),
    },
    output: {
      path: at('dist'),
      publicPath: '/',
      clean: true,
      filename: production ? 'assets/[name]-[contenthash:10].js' : 'assets/[name].js',
      chunkFilename: production ? 'assets/[name]-[contenthash:10].js' : 'assets/[name].js',
      assetModuleFilename: 'assets/[name]-[contenthash:10][ext]',
    },
    devtool: production ? false : 'eval-source-map',
    resolve: {
      extensions: ['.tsx', '.ts', '.mjs', '.js'],
      alias: { '@': at('src') },
    },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          include: at('src'),
          loader: 'swc-loader',
          options: {
            jsc: {
              target: 'es2022',
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic', development: !production } },
            },
          },
        },
        {
          test: /\.css$/,
          use: [MiniCssExtractPlugin.loader, 'css-loader', 'postcss-loader'],
          sideEffects: true,
        },
        { test: /\.(woff2|svg|webp|png)$/, type: 'asset/resource' },
      ],
    },
    plugins: [
      new MiniCssExtractPlugin({
        filename: production ? 'assets/[name]-[contenthash:10].css' : 'assets/[name].css',
        chunkFilename: production ? 'assets/[name]-[contenthash:10].css' : 'assets/[name].css',
      }),
      new HtmlWebpackPlugin({
        template: at('src/index.ejs'),
        inject: false,
        minify: production ? { collapseWhitespace: true, removeComments: true } : false,
      }),
      new CopyPublicPlugin(),
      ...(production ? [new ChunkReportPlugin()] : []),
    ],
    optimization: {
      minimizer: [
        new TerserPlugin({
          minify: TerserPlugin.swcMinify,
          extractComments: false,
          terserOptions: {
            ecma: 2022,
            module: true,
            compress: { passes: 3 },
            mangle: true,
          },
        }),
        new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify }),
      ],
      splitChunks: { chunks: 'async', minSize: 8000 },
    },
    performance: false,
    devServer: {
      host: '127.0.0.1',
      port: 5173,
      historyApiFallback: { disableDotRule: true },
      proxy: [{ context: apiPaths, target: process.env.SHOP_URL ?? 'http://127.0.0.1:8080' }],
      static: { directory: at('public') },
    },
    stats: 'errors-warnings',
  };
};
