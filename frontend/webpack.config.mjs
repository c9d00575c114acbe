import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import TerserPlugin from 'terser-webpack-plugin';
import { FIRST_CHARACTERS } from './scripts/first-characters.mjs';

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

/** The first segments of the API's paths, which the dev server passes on to a shop. */
function apiPaths() {
  const { paths } = JSON.parse(readFileSync(at('../docs/openapi.json'), 'utf8'));
  return [...new Set(Object.keys(paths).map((path) => `/${path.split('/')[1]}`))];
}

/** The router's package names the build with its warnings for everybody, and has one without them beside it. */
const router = at('node_modules/react-router/dist/production');

const resolveFrom = (production) => ({
  extensions: ['.tsx', '.ts', '.mjs', '.js'],
  alias: {
    '@': at('src'),
    // Drawn by less: what lucide makes its icons with is a kilobyte of the first page's script.
    [at('node_modules/lucide-react/dist/esm/createLucideIcon.mjs')]: at('src/ui/lucide-icon.ts'),
    ...(production
      ? { 'react-router$': `${router}/index.mjs`, 'react-router/dom$': `${router}/dom-export.mjs` }
      : {}),
  },
});

const typescript = (production) => ({
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
});

/** Fonts that are named with `?first` hold what the shop's own words are written with, and no more. */
const firstCharacters = {
  test: /\.woff2$/,
  resourceQuery: /first/,
  loader: at('scripts/subset-loader.mjs'),
  options: { keep: FIRST_CHARACTERS },
};

/** A drawing of a few strokes stands in the page: asking for it would take more, and take the line from what is seen. */
const asDataUrl = (drawing) =>
  `data:image/svg+xml,${drawing
    .toString()
    .trim()
    .replaceAll('"', "'")
    .replace(/[#<>%]/g, encodeURIComponent)}`;

/** Pictures and fonts that code names; the same name in the client and in what renders its pages ahead of time. */
const assetModuleFilename = 'assets/[name]-[contenthash:10][ext]';

/** What scripts/prerender.mjs runs: the same screens, for Node. It emits no styles and no pictures of its own. */
const prerender = {
  name: 'prerender',
  mode: 'production',
  target: 'node20.19',
  entry: at('src/prerender.tsx'),
  output: {
    path: at('.build/prerender'),
    filename: 'prerender.cjs',
    library: { type: 'commonjs2' },
    asyncChunks: false,
    publicPath: '/',
    clean: true,
    assetModuleFilename,
  },
  devtool: false,
  resolve: resolveFrom(true),
  module: {
    rules: [
      typescript(true),
      firstCharacters,
      {
        test: /\.(css|woff2|svg|webp|png)$/,
        type: 'asset/resource',
        generator: { emit: false },
      },
    ],
  },
  optimization: { minimize: false },
  performance: false,
  stats: 'errors-warnings',
};

const rulesOf = (production) => [
  typescript(production),
  {
    test: /\.css$/,
    use: [MiniCssExtractPlugin.loader, 'css-loader', 'postcss-loader'],
    sideEffects: true,
  },
  firstCharacters,
  { test: /\.(woff2|webp|png)$/, type: 'asset/resource' },
  { test: /\.svg$/, type: 'asset/inline', generator: { dataUrl: asDataUrl } },
];

const pluginsOf = (production) => [
  new MiniCssExtractPlugin({
    filename: production ? 'assets/[name]-[contenthash:10].css' : 'assets/[name].css',
    chunkFilename: production ? 'assets/[name]-[contenthash:10].css' : 'assets/[name].css',
  }),
  new HtmlWebpackPlugin({
    template: at('src/index.ejs'),
    // The built client has no page of this kind: scripts/prerender.mjs makes its pages of it.
    filename: production ? at('.build/template.html') : 'index.html',
    inject: false,
    minify: production ? { collapseWhitespace: true, removeComments: true } : false,
  }),
  new CopyPublicPlugin(),
  ...(production ? [new ChunkReportPlugin()] : []),
];

const optimization = {
  // Names of one character where they can be: the first page's script is close to its budget.
  mangleExports: 'size',
  moduleIds: 'size',
  chunkIds: 'size',
  minimizer: [
    new TerserPlugin({
      minify: TerserPlugin.swcMinify,
      // Licences stand in a file of their own: in the first page's script they took half a kilobyte of its budget.
      extractComments: { filename: 'licenses.txt', banner: false },
      terserOptions: { ecma: 2022, module: true, compress: { passes: 6 }, mangle: true },
    }),
    new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify }),
  ],
  // Each chunk is one more name in the map that the first page carries.
  splitChunks: {
    // The checkout is the one form without yup: shared with it, the libraries of all others would come in two pieces.
    chunks: (chunk) => !chunk.canBeInitial() && chunk.name !== 'checkout',
    minSize: 12000,
  },
};

const devServer = () => ({
  host: '127.0.0.1',
  port: 5173,
  historyApiFallback: { disableDotRule: true },
  proxy: [{ context: apiPaths(), target: process.env.SHOP_URL ?? 'http://127.0.0.1:8080' }],
  static: { directory: at('public') },
});

export default (_env, argv) => {
  const production = argv.mode === 'production';
  const client = {
    name: 'client',
    mode: production ? 'production' : 'development',
    target: ['web', 'es2022'],
    entry: {
      main: at('src/main.tsx'),
      // Loaded blocking and before the styles, so that a chosen theme never flashes the other one.
      boot: at('src/boot.ts'),
    },
    output: {
      path: at('dist'),
      uniqueName: 'client',
      publicPath: '/',
      clean: true,
      filename: production ? 'assets/[name]-[contenthash:10].js' : 'assets/[name].js',
      // Without the chunk's name, and short: the first page carries a map of all of them. Two alike would fail the build.
      chunkFilename: production ? 'assets/c-[contenthash:6].js' : 'assets/[name].js',
      assetModuleFilename,
    },
    devtool: production ? false : 'eval-source-map',
    resolve: resolveFrom(production),
    module: { rules: rulesOf(production) },
    plugins: pluginsOf(production),
    optimization,
    performance: false,
    ...(production ? {} : { devServer: devServer() }),
    stats: 'errors-warnings',
  };
  return production ? [client, prerender] : client;
};
