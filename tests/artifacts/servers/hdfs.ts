/** Hadoop's own small cluster, a name node and two data nodes in one process: asked over RPC and over WebHDFS. */
import { driverFor } from "../../../lib/artifact/driver_for.ts";
import type { Driver } from "../../../lib/artifact/driver.ts";
import { sourceOf, surroundingsOf } from "../../../lib/artifact/testing/surroundings.ts";
import { freePort, serve } from "./process.ts";
import { mavenProgram } from "./programs.ts";
import { NotHere, type ServerKind } from "./server.ts";

const MODULE = "org.apache.hadoop:hadoop-minicluster:3.4.2";

/** Blocks are small, so that a file of the contract has several. */
const MAIN = `
import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

public class Main {
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    conf.set("dfs.blocksize", "1048576");
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf, new File(args[2]))
      .nameNodePort(Integer.parseInt(args[0])).nameNodeHttpPort(Integer.parseInt(args[1])).numDataNodes(2).build();
    cluster.waitActive();
    Thread.sleep(Long.MAX_VALUE);
  }
}
`;

/** The time in which its data nodes must have come, milliseconds. */
const PATIENCE_MILLIS = 120_000;

const never = new AbortController().signal;

/** Its libraries are 100 MB. */
export const hadoop: ServerKind = {
  name: "hadoop",
  isSlow: true,
  async start() {
    const folder = await mavenProgram(MODULE, MAIN);
    const http = freePort();
    const serving = await serve((port, data) => [
      "java",
      "-Xmx512m",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      ...["-cp", `${folder}/lib/*:${folder}`, "Main", String(port), String(http), `${data}/hdfs`],
    ]);
    const asked = [["hdfs-rpc", `127.0.0.1:${serving.port}`], ["hdfs-web", `http://127.0.0.1:${http}`]] as const;
    try {
      for (const [, address] of asked) await awaitWrites(address);
    } catch (error) {
      await serving[Symbol.asyncDispose]();
      throw error;
    }
    return {
      asked: asked.map(([name, address]) => ({
        name,
        driver: () => driverAt(address),
        place: (key: string) => placeAt(address, key),
        cannot: {
          "AR-05": "a file and a folder of one name cannot be side by side",
          "AR-08": "HDFS takes no colon in a name",
          "AR-09": "HDFS puts paths in order",
          "AR-10": "a path cannot have .. in it",
          "AR-13": "a file and a folder of one name cannot be side by side",
        },
      })),
      [Symbol.asyncDispose]: () => serving[Symbol.asyncDispose](),
    };
  },
};

function placeAt(address: string, key: string) {
  const hdfsUser = Deno.env.get("USER") ?? "root";
  return { store: "hdfs", key: `/${key}`, settings: { addresses: [address], hdfsUser, force: true } };
}

async function driverAt(address: string): Promise<Driver> {
  return await driverFor(placeAt(address, "x"), surroundingsOf()) as Driver;
}

/** Resolves when a file can be written: its data nodes come after its name node. */
async function awaitWrites(address: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MILLIS;
  for (;;) {
    const driver = await driverAt(address);
    try {
      await driver.write(placeAt(address, "ready"), sourceOf("ready"), never);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new NotHere(`the cluster does not become ready: ${error}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    } finally {
      await driver.close?.();
    }
  }
}
