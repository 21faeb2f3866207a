// kubernetes is every program of a one-node Kubernetes, and kubectl, in one binary: code that they share is compiled and
// linked once, which is most of it. The component is the name the program was started under, or else its first argument.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var components = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllers.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kube-proxy":              proxy.NewProxyCommand,
	"kubelet":                 func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) },
	"kubectl":                 kubectl.NewDefaultKubectlCommand,
}

func main() {
	args := slices.Clone(os.Args)
	args[0] = filepath.Base(args[0])
	if !known(args[0]) {
		args = args[1:]
	}
	if len(args) == 0 || !known(args[0]) {
		fmt.Fprintln(os.Stderr, "Usage: kubernetes COMPONENT [flags], where COMPONENT is one of etcd "+strings.Join(names(), " "))
		os.Exit(2)
	}
	os.Args = args
	if args[0] == "etcd" {
		etcdmain.Main(args)
		return
	}
	os.Exit(cli.Run(components[args[0]]()))
}

func known(name string) bool {
	return name == "etcd" || components[name] != nil
}

func names() []string {
	var all []string
	for name := range components {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
