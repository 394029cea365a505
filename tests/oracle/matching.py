# SPDX-License-Identifier: ISC
"""Random graphs, whose best perfect matching networkx works out, too.

matching.py MATCHER COUNT [SEED]: prints how many agree; ends with 1 if one
does not.  Networkx has Galil's form of the algorithm, over Python's integers.
"""
import random
import site
import subprocess
import sys

site.main()  # the tests start Python with -S
import networkx  # noqa: E402 pylint: disable=wrong-import-position


def graph(rnd):
    """A graph: from sparse to complete, from all weights alike to all apart."""
    n = rnd.randrange(1, 30)
    if n % 2 == 1 and rnd.random() < 0.9:
        n += 1
    density = rnd.choice([0.15, 0.3, 0.6, 1])
    most = rnd.choice([0, 1, 2, 7, 1000, 2 ** 39])
    return n, [
        (u, v, rnd.randint(0, most))
        for u in range(n) for v in range(u) if rnd.random() < density
    ]


def best(n, edges):
    """What networkx says of it."""
    g = networkx.Graph()
    g.add_nodes_from(range(n))
    g.add_weighted_edges_from(edges)
    pairs = networkx.max_weight_matching(g, maxcardinality=True)
    if 2 * len(pairs) < n:
        return "none"
    return str(sum(g[u][v]["weight"] for u, v in pairs))


def main():
    matcher, count = sys.argv[1], int(sys.argv[2])
    rnd = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    graphs = [graph(rnd) for _ in range(count)]
    text = "".join(
        f"{n} {len(edges)}\n" + "".join(f"{u} {v} {w}\n" for u, v, w in edges)
        for n, edges in graphs)
    said = subprocess.run([matcher], input=text, capture_output=True,
                          text=True, check=True).stdout.split()
    wanted = [best(n, edges) for n, edges in graphs]
    differ = [i for i in range(count) if said[i:i + 1] != wanted[i:i + 1]]
    for i in differ[:3]:
        print(f"graph {i}: {graphs[i]}: {said[i:i + 1]}, not {wanted[i]}")
    print(f"{count} graphs, {wanted.count('none')} without a perfect matching, "
          f"{len(differ)} differ")
    return 1 if differ or len(said) != count else 0


if __name__ == "__main__":
    sys.exit(main())
