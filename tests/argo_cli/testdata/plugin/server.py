import json


def main():
	print("hello: \"world\"")  # comment

main()
